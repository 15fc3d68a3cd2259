"""The library under the training scripts."""
