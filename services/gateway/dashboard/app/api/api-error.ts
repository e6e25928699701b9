import { t } from '../i18n/translate.ts';

/** More are shown at the fields themselves. */
const FIELDS_SHOWN = 3;

/** A response of the API that is no success, or no response at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  /** The error code, where one is defined. */
  readonly code: string;
  /** Messages by field path, such as `menu_options[1].digit`. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Further fields of the body, which some codes have. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(messageOf(status, body), options);
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof body['code'] === 'string' ? body['code'] : String(body['error'] ?? '');
    this.fields = (body['errors'] ?? {}) as Record<string, string[]>;
    this.body = body;
  }

  /** The messages for a field and for the elements of its list (`events[2]`). */
  errorsOf(field: string): readonly string[] | undefined {
    const elements = Object.keys(this.fields).filter(
      (path) => path.startsWith(`${field}[`) && path.indexOf(']') === path.length - 1,
    );
    const messages = [field, ...elements].flatMap((path) => this.fields[path] ?? []);
    return messages.length > 0 ? [...new Set(messages)] : undefined;
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** True when the same request may succeed a moment later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Tells the user what happened, and what to do. */
function messageOf(status: number, body: Record<string, unknown>): string {
  if (status === 0) return t('No connection to the server. Check your network and try again.');
  if (status === 429) return t('Too many requests. Wait a minute and try again.');
  if (status === 404) return t('It does not exist any more.');
  if (status === 403)
    return (body['code'] ?? body['error']) === 'destination_not_allowed'
      ? t('Your company may not call this number.')
      : t('You are not allowed to do this.');
  if (status === 503) return t('The service is temporarily unavailable. Try again in a moment.');
  if (status >= 500) {
    const id = body['request_id'];
    return typeof id === 'string'
      ? t('The server could not complete this. Try again; if it fails again, report request {id}.', { id })
      : t('The server could not complete this. Try again; if it fails again, tell your administrator.');
  }
  const fields = Object.entries((body['errors'] ?? {}) as Record<string, string[]>);
  if (fields.length > 0) return fields.slice(0, FIELDS_SHOWN).map(fieldSentence).join(' ');
  const error = body['error'];
  return typeof error === 'string' && error !== '' ? sentence(error) : t('This was not accepted.');
}

/** `menu_options[1].digit` with "is wrong" becomes "Menu options 2, digit is wrong." */
function fieldSentence([path, messages]: [string, readonly string[]]): string {
  const words = path
    .replaceAll(/\[(\d+)\]/g, (_match, index: string) => ` ${Number(index) + 1}`)
    .replaceAll('.', ', ')
    .replaceAll('_', ' ');
  return sentence(`${words} ${messages.join(', ')}`);
}

/** "phone is invalid" becomes "Phone is invalid."; a code such as `not_texting` becomes words. */
export function sentence(text: string): string {
  const words = /^[a-z_]+$/.test(text) ? text.replaceAll('_', ' ') : text;
  const capital = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
