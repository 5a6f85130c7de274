"""Search spaces: parameters, the constraints between them, and what is left of the product."""
