"""What people see of the Fruit Market. All of it is made from hidden states, and no kernel lies here."""
