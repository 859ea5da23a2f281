"""What all drawings share: colours, players' signs, icons, geometry, writing SVG. No game is named here."""
