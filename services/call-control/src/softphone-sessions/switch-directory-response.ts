/** A phone that may register: what FreeSWITCH checks the response against, and the variables it passes on. */
export interface SwitchDirectoryUser {
  readonly username: string;
  readonly domain: string;
  /** H(A1) of the password that fits. */
  readonly a1: string;
  readonly variables: {
    readonly employee_id: string;
    readonly company_id: string;
    readonly softphone_session_id: string;
  };
}

/** The switch then denies the request. */
export const NOT_FOUND_RESPONSE = documentOf('<section name="result"><result status="not found"/></section>');

/** Always with `params`: a user without them would be let in with any password. */
export function userResponse({ username, domain, a1, variables }: SwitchDirectoryUser): string {
  const params = { 'a1-hash': a1, 'dial-string': '${sofia_contact(internal/${dialed_user}@${dialed_domain})}' };
  const elements = (name: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([key, value]) => `<${name} name="${escape(key)}" value="${escape(value)}"/>`);
  return documentOf(
    `<section name="directory"><domain name="${escape(domain)}"><user id="${escape(username)}">` +
      `<params>${elements('param', params).join('')}</params>` +
      `<variables>${elements('variable', variables).join('')}</variables>` +
      '</user></domain></section>',
  );
}

function documentOf(section: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<document type="freeswitch/xml">${section}</document>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
