"""The readers, one module a format, called as the format is; ``FORMATS`` of ``sandbox/read.py`` names them.

Each has ``read(data, max_chars)``, from a file's bytes to ``Extracted``, which raises ``Unreadable``. Where reading needs
more than the module imports, ``preload()`` imports and warms it up, since a closed jail lets no file be opened.

``office/`` and ``pdf_pages/`` have what readers are made of; other helpers stand beside their format.
"""
