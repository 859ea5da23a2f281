"""The table page, part by part: what one visitor may see of a match becomes fragments of a page and messages.

A `TableView` (model.py) is made for one visitor. All that these modules say is made of what its match gives
to the seat of this visitor, so that a secret that the match keeps back cannot appear on any page.
"""
