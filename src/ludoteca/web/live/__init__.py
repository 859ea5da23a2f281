"""Tables in memory: matches, visitors, bots, lessons, exercises, and what their pages are sent."""
