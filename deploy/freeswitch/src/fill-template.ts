/**
 * A value that is alone on its line may have several lines, or none. What is between `{{#name}}` and `{{/name}}` is left out where
 * there is no value of that name.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string | readonly string[]>>,
  escape: (text: string) => string,
): string {
  const valueOf = (name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a template uses {{${name}}}, which is no setting`);
    return value;
  };
  return template
    .replaceAll(/^ *\{\{#(\w+)\}\}\n([^]*?)^ *\{\{\/\1\}\}\n/gm, (_block, name: string, content: string) =>
      values[name] === undefined ? '' : content,
    )
    .replaceAll(/^( *)\{\{(\w+)\}\}\n/gm, (_line, indent: string, name: string) =>
      [valueOf(name)]
        .flat()
        .map((line) => `${indent}${line}\n`)
        .join(''),
    )
    .replaceAll(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => escape([valueOf(name)].flat().join(',')));
}
