import { DomUtils, parseDocument } from 'htmlparser2';

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** A page in a browser. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Its text. */
  readonly text: string;
  /** The value of the field with this label. */
  value(label: string): string | undefined;
  /** The hidden and visible fields of the form that has this button. */
  fields(button: string): URLSearchParams;
  /** The address of the form that has this button. */
  action(button: string): string;
}

/** A simple browser with cookies that fills in fields by their label and presses buttons by their name. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  /** Follows redirects on our own site and stops at the first address elsewhere. */
  open(path: string): Promise<Page>;
  press(page: Page, button: string, values?: Record<string, string>): Promise<Page>;
  /** A request below `/account`, as the dashboard makes it. */
  account(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: any }>;
  /** One request, no redirect followed. */
  request(path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<Response>;
}

/** `userAgent`: of another browser, whose session it will be. */
export function visit(baseUrl: string, userAgent?: string): Visitor {
  const cookies = new Map<string, string>();

  async function request(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, baseUrl), {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...(userAgent && { 'user-agent': userAgent }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function follow(response: Response, at: string): Promise<Page> {
    const location = response.headers.get('location');
    if (location === null) return readPage(response, at);
    const next = new URL(location, at);
    if (next.origin !== new URL(baseUrl).origin) return readPage(response, next.href);
    return follow(await request(next.href), next.href);
  }

  return {
    cookies,
    request,
    open: async (path) => follow(await request(path), new URL(path, baseUrl).href),
    async account(method, path, body, headers) {
      const response = await request(`/account${path}`, {
        method,
        headers: { origin: new URL(baseUrl).origin, 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async press(page, button, values = {}) {
      const body = page.fields(button);
      for (const [label, value] of Object.entries(values)) body.set(nameOf(page, label), value);
      const action = new URL(page.action(button), page.url).href;
      const origin = new URL(baseUrl).origin;
      return follow(await request(action, { method: 'POST', body, headers: { origin } }), action);
    },
  };
}

function nameOf(page: Page, label: string): string {
  const input = labelled(parseDocument(page.html), label);
  if (!input) throw new Error(`no field ${label} on ${page.url} (${page.status}): ${page.text}`);
  return input.attribs['name'] ?? '';
}

async function readPage(response: Response, url: string): Promise<Page> {
  const html = await response.text();
  const document = parseDocument(html);
  const formOf = (button: string): { form: Element; pressed: Element } => {
    const pressed = DomUtils.getElementsByTagName('button', document).find((one) => wordsOf(one) === button);
    let form = pressed?.parent as Element | null | undefined;
    while (form && form.name !== 'form') form = form.parent as Element | null;
    if (!form || !pressed) throw new Error(`no button ${button} on ${url} (${response.status}): ${wordsOf(document)}`);
    return { form, pressed };
  };
  return {
    url,
    status: response.status,
    headers: response.headers,
    html,
    text: wordsOf(document),
    value: (label) => {
      const found = labelled(document, label);
      return found?.name === 'textarea' ? DomUtils.textContent(found) : found?.attribs['value'];
    },
    fields(button) {
      const { form, pressed } = formOf(button);
      const inputs = DomUtils.getElementsByTagName('input', form).map(({ attribs }) => attribs);
      const sent = [...inputs, pressed.attribs].filter(({ name }) => name !== undefined);
      return new URLSearchParams(sent.map(({ name = '', value = '' }): [string, string] => [name, value]));
    },
    action: (button) => formOf(button).form.attribs['action'] ?? '',
  };
}

function labelled(document: ReturnType<typeof parseDocument>, label: string): Element | undefined {
  const found = DomUtils.getElementsByTagName('label', document).find((one) => wordsOf(one) === label);
  const id = found?.attribs['for'];
  return id === undefined ? undefined : (DomUtils.getElementById(id, document) ?? undefined);
}

function wordsOf(node: Parameters<typeof DomUtils.textContent>[0]): string {
  const text = 'children' in (node as Element) ? withoutStyle(node as Element) : DomUtils.textContent(node);
  return text.replaceAll(/\s+/g, ' ').trim();
}

function withoutStyle(element: Element): string {
  if (element.name === 'style' || element.name === 'title') return '';
  return element.children
    .map((child) => ('children' in child ? withoutStyle(child as Element) : DomUtils.textContent(child)))
    .join('');
}
