"""Sphinx: pages by MyST, C++ by Doxygen and Breathe, Python by autodoc, in the theme Furo."""

import os

project = "Fettle"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "Fettle"
html_copy_source = False
html_show_copyright = False
html_static_path: list[str] = []
# Badges and fonts of other hosts are left out: the pages are read offline, too.
html_theme_options = {"top_of_page_buttons": []}

myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
# A type alias of code blocks that Pygments lacks.
highlight_language = "none"

breathe_projects = {"fettle": f"{os.environ['FETTLE_DOCS']}/doxygen/xml"}
breathe_default_project = "fettle"
breathe_show_include = False
# Each page of a header opens the same namespaces, and a concept may constrain two overloads.
suppress_warnings = ["duplicate_declaration.cpp"]

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
