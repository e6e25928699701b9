const LENGTH_MAX = 100;

/**
 * A name for use in an e-mail: one line, and nothing that mail programs turn into a link. The name of an
 * employee or a company is user input, and the e-mail has our sender.
 */
export function plainName(name: string, lengthMax = LENGTH_MAX): string {
  const line = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ');
  return (
    line
      .replaceAll(/[/\\\uff0f\u2044\u2215<>]+/gu, ' ')
      .replaceAll(/[@\uff20\ufe6b]/gu, ' at ')
      // `evil.example` and `mailto:x` are addresses only without the space.
      .replaceAll(/[.:\u3002\uff0e\uff61\ufe52\u2024\uff1a]+(?=\S)/gu, '$& ')
      .replaceAll(/ +/g, ' ')
      .trim()
      .slice(0, lengthMax)
      .trimEnd()
  );
}
