"""What people see of Myrmidons. All of it is made from hidden states, and no kernel lies here."""
