"""Who asks: visitors, their preferences, and what they may reach."""
