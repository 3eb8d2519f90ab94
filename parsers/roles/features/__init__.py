"""What nodes say beside their words: denied, possible, how many, which noun a pronoun means."""
