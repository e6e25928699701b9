import type { Company } from '../support/api.ts';
import { untilAnswered } from './stress-stack.ts';

/** An item as the API shows it, with the fields of these scenarios. */
export interface Item {
  readonly id: string;
  readonly type: 'call' | 'voicemail' | 'message';
  readonly direction: 'inbound' | 'outbound';
  readonly created_at: string;
  readonly seen_at: string | null;
  readonly business_number_id: string;
  readonly text?: string;
  readonly summary?: string | null;
  readonly transcription?: string | null;
  readonly missed?: boolean;
  readonly call_id?: string | null;
}

/** Every page of the activity with a number, as one reader follows them. */
export async function readActivity(company: Company, phone: string, limit: number) {
  const items: Item[] = [];
  let observedAt = '';
  for (let cursor = ''; ;) {
    const query = `?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const path = `/inbox/${encodeURIComponent(phone)}/activity${query}`;
    const { status, body, text } = await untilAnswered(() => company.call('GET', path));
    if (status !== 200) throw new Error(`no activity: ${status} ${text}`);
    items.push(...(body.items as Item[]));
    if (observedAt !== '' && observedAt !== body.observed_at) throw new Error('a page has another observation');
    observedAt = body.observed_at;
    if (body.next_cursor === null) return { items, observedAt };
    cursor = body.next_cursor;
  }
}

/** Every thread of the company. */
export async function readThreads(company: Company): Promise<any[]> {
  const threads: any[] = [];
  for (let cursor = ''; ;) {
    const query = `?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { body } = await untilAnswered(() => company.call('GET', `/inbox${query}`));
    threads.push(...body.threads);
    if (body.next_cursor === null) return threads;
    cursor = body.next_cursor;
  }
}
