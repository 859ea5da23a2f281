"""What people see of Myriath. All of it is made from hidden states, and no kernel lies here."""
