"""What people see of Mykerinos. All of it is made from hidden states, and no kernel lies here."""
