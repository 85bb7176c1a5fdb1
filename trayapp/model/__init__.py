"""What everything speaks: frozen, slotted values.

No I/O, no Qt, no psutil and no host's name in here. Every other package imports from this one; this one imports
nothing of the project.
"""
