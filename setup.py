"""Build step that pyproject.toml cannot express: recipes beside artefacts are not installed.

They need data and packages that users lack; an editable install runs them from the repository.
"""

from fnmatch import fnmatch

from setuptools import setup
from setuptools.command.build_py import build_py

# By package: the modules that stay behind.
RECIPES = {
    "compsim.weights": ["[!_]*"],
    "compsim.benchmarks.training": ["choose_*", "swaps"],
}


class BuildWithoutRecipes(build_py):
    """Build the package of all modules but the recipes."""

    def find_package_modules(self, package, package_dir):
        """Return the modules of a package that are installed, as setuptools lists them."""
        return [
            result
            for result in super().find_package_modules(package, package_dir)
            if not any(fnmatch(result[1], pattern) for pattern in RECIPES.get(package, ()))
        ]


setup(cmdclass={"build_py": BuildWithoutRecipes})
