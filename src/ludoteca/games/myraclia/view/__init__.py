"""What people see of Myraclia. All of it is made from hidden states, and no kernel lies here."""
