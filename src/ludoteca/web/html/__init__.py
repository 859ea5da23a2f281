"""What pages are made of: elements, layout, rulebooks, illustrations, the manual."""
