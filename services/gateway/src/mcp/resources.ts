const MEDIA_TYPE = 'application/json';

/** Resources that can be read by their address; each is the result of a tool. */
const resources = [
  {
    template: 'parley://calls/{id}/transcript',
    pattern: /^parley:\/\/calls\/([^/?#]+)\/transcript$/,
    tool: 'get_call_transcript',
    name: 'call_transcript',
    title: 'Transcript of a call',
  },
  {
    template: 'parley://contacts/{id}',
    pattern: /^parley:\/\/contacts\/([^/?#]+)$/,
    tool: 'get_contact',
    name: 'contact',
    title: 'Contact',
  },
];

export const resourceTemplates = resources.map(({ template, name, title }) => ({
  uriTemplate: template,
  name,
  title,
  mimeType: MEDIA_TYPE,
}));

/** The tool whose result a resource is, and the id to call it with; undefined for an address of none. */
export function toolForResource(uri: string): { readonly tool: string; readonly id: string } | undefined {
  for (const { pattern, tool } of resources) {
    const [, id] = pattern.exec(uri) ?? [];
    if (id !== undefined) return { tool, id: decoded(id) };
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
