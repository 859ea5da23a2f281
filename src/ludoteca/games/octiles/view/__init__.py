"""What people see of Octiles. All of it is made from hidden states, and no kernel lies here."""
