"""What everything uses: errors, the extension module, files."""
