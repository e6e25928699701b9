/** A form of a page as it is sent when one of its buttons is pressed. */
export interface Form {
  readonly method: 'get' | 'post';
  readonly action: string;
  /** What is sent as it stands: hidden fields, values that are there, and the button's own. */
  readonly values: Record<string, string>;
  /** The names of fields by their labels. */
  readonly names: ReadonlyMap<string, string>;
}

type Attributes = Readonly<Record<string, string>>;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The form with this button and fields with these labels, if a page has one. */
export function findForm(html: string, button: string, labels: readonly string[]): Form | undefined {
  for (const [, attributes = '', content = ''] of html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)) {
    const pressed = buttonsOf(content).find(({ label }) => label === button);
    const names = namesOf(content);
    if (!pressed || !labels.every((label) => names.has(label))) continue;
    const { method = 'get', action = '' } = toAttributes(attributes);
    const { name, value = '' } = pressed.attributes;
    return {
      method: method.toLowerCase() === 'post' ? 'post' : 'get',
      action: pressed.attributes['formaction'] ?? action,
      values: { ...valuesOf(content), ...(name !== undefined && { [name]: value }) },
      names,
    };
  }
  return undefined;
}

/** The text of a page, without its tags. */
export function textOf(html: string): string {
  const shown = html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '').replace(/<[^>]*>/g, ' ');
  return decoded(shown).replace(/\s+/g, ' ').trim();
}

function buttonsOf(html: string): { label: string; attributes: Attributes }[] {
  const buttons = [...html.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/gi)];
  const inputs = inputsOf(html).filter(({ type }) => type === 'submit');
  return [
    ...buttons.map(([, attributes = '', content = '']) => ({
      label: textOf(content),
      attributes: toAttributes(attributes),
    })),
    ...inputs.map((attributes) => ({ label: attributes['value'] ?? '', attributes })),
  ];
}

function inputsOf(html: string): Attributes[] {
  return [...html.matchAll(/<input\b([^>]*)>/gi)].map(([, attributes = '']) => toAttributes(attributes));
}

function valuesOf(html: string): Record<string, string> {
  const sent = inputsOf(html).filter(({ name, type = 'text', checked }) => {
    if (name === undefined || type === 'submit') return false;
    return (type !== 'checkbox' && type !== 'radio') || checked !== undefined;
  });
  return Object.fromEntries(sent.map(({ name = '', value = '' }) => [name, value]));
}

function namesOf(html: string): Map<string, string> {
  const inputs = inputsOf(html);
  const names = new Map<string, string>();
  for (const [, attributes = '', content = ''] of html.matchAll(/<label\b([^>]*)>([\s\S]*?)<\/label>/gi)) {
    const { for: id } = toAttributes(attributes);
    const input = id === undefined ? inputsOf(content)[0] : inputs.find((one) => one['id'] === id);
    if (input?.['name'] !== undefined) names.set(textOf(content), input['name']);
  }
  return names;
}

function toAttributes(text: string): Attributes {
  const found = text.matchAll(/([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g);
  return Object.fromEntries(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decoded(double ?? single ?? bare ?? ''),
    ]),
  );
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16));
    return ENTITIES[name.toLowerCase()] ?? whole;
  });
}
