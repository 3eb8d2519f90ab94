"""AMR-style graphs by rules over trees and PropBank frames."""
