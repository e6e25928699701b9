import { Failure, LeftOut } from '../expectations/failure.ts';
import type { Network } from '../http/network.ts';
import type { Reply } from '../http/reply.ts';
import { findForm, type Form } from './forms.ts';

const REDIRECTS_MAX = 10;
const REDIRECTS = [301, 302, 303, 307, 308];

/** What a browser shows, or where it was sent. */
export interface Page {
  readonly reply: Reply;
  /** Path and query of the page. */
  readonly path: string;
  /** The address at another server that it was sent to. It is not opened. */
  readonly leaves?: URL;
}

/**
 * A browser without scripts, for what only people can do: cookies, redirects within the server, and forms by the names that people see. A check
 * that meets a page that needs scripts is left out.
 */
export class Browser {
  readonly #network: Network;
  readonly #base: string;
  readonly #cookies = new Map<string, string>();

  constructor(network: Network, base: string) {
    this.#network = network;
    this.#base = base;
  }

  /** Opens a page and follows redirects that stay at the server. */
  open(path: string): Promise<Page> {
    return this.#follow('GET', path);
  }

  /** Fills the fields of a form by their labels and presses its button. */
  async press(page: Page, button: string, fields: Readonly<Record<string, string>> = {}): Promise<Page> {
    const form = findForm(page.reply.text, button, Object.keys(fields));
    if (!form)
      throw new LeftOut(
        `the page ${page.path.split('?')[0]} has no form with the button ${button} that works without scripts`,
      );
    const body = new URLSearchParams(form.values);
    for (const [label, value] of Object.entries(fields)) body.set(form.names.get(label)!, value);
    const path = this.#pathOf(form, page);
    if (form.method === 'get') return await this.#follow('GET', `${path.split('?')[0]}?${body}`);
    return await this.#follow('POST', path, body.toString());
  }

  /** Signs in at `/signin`. */
  async signIn({ email, password }: { email: string; password: string }): Promise<Page> {
    return await this.press(await this.open('/signin'), 'Sign in', { Email: email, Password: password });
  }

  async #follow(method: string, path: string, body?: string): Promise<Page> {
    let [next, sent, at] = [method, body, path];
    for (let count = 0; count < REDIRECTS_MAX; count++) {
      const reply = await this.#send(next, at, sent);
      const location = reply.headers.get('location');
      if (!REDIRECTS.includes(reply.status) || location === null) return { reply, path: at };
      const target = new URL(location, this.#base + at);
      if (target.origin !== new URL(this.#base).origin) return { reply, path: at, leaves: target };
      at = target.pathname + target.search;
      if (reply.status < 307) [next, sent] = ['GET', undefined];
    }
    throw new Failure(`${path} redirects more than ${REDIRECTS_MAX} times`);
  }

  async #send(method: string, path: string, body: string | undefined): Promise<Reply> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await this.#network.send({
      method,
      base: this.#base,
      path,
      headers: {
        Accept: 'text/html',
        ...(cookie !== '' && { Cookie: cookie }),
        ...(body !== undefined && {
          'Content-Type': 'application/x-www-form-urlencoded',
          Origin: new URL(this.#base).origin,
        }),
      },
      ...(body !== undefined && { body }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const split = pair.indexOf('=');
      const [name, value] = [pair.slice(0, split).trim(), pair.slice(split + 1).trim()];
      if (value === '' || /;\s*max-age=0\b/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return reply;
  }

  #pathOf({ action }: Form, page: Page): string {
    const { pathname, search } = new URL(action === '' ? page.path : action, this.#base + page.path);
    return pathname + search;
  }
}
