"""What can be played: games, levels and component sets."""
