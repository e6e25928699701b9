import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { refusal, Refused } from '@parley/errors';
import { type ContactImportLine, ContactImportService } from '@parley/proto/directory/v1/contact_imports_pb';
import { waitUntil } from '@parley/testkit';
import { fakeContract } from '@parley/testkit/service';
import { ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const FILE_BYTES = 16 * 1024 * 1024;
const RECEIVING_MAX = 100;

let gateway: TestGateway;
let isFull: boolean;
let created: number;
let canceled: string[];
let received: ContactImportLine[];
const imports = fakeContract(ContactImportService, {
  async createContactImport() {
    if (isFull) throw new Refused(refusal('rate_limited', 'at most 5 imports run at a time'));
    created += 1;
    return { id: `imp_${created}` };
  },
  async addContactImportLines({ lines }) {
    received.push(...lines);
    return {};
  },
  async startContactImport({ id, lines }) {
    return { contactImport: { id, lines } };
  },
  async cancelContactImport({ id }) {
    canceled.push(id);
    return {};
  },
});
beforeAll(async () => {
  gateway = await startGateway({}, {}, { directory: [imports] });
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  [isFull, created, canceled, received] = [false, 0, [], []];
});

/** A client that has sent the head of its request, and whose answer is read as far as it came. */
function upload(bytes = FILE_BYTES): { socket: Socket; answer(): string } {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.on('error', () => undefined);
  const head = [
    'POST /api/v1/contacts/imports HTTP/1.1',
    'Host: x',
    `X-Api-Key: ${ANES_KEY}`,
    'Content-Type: text/csv',
  ];
  socket.write([...head, `Content-Length: ${bytes}`, '', ''].join('\r\n'));
  return { socket, answer: () => answer };
}
const began = (count: number) => waitUntil(() => created === count, { what: `${count} imports` });
const answered = ({ answer }: { answer(): string }, what: string) =>
  waitUntil(() => answer().includes(what), { what: `${what}, not ${answer()}` });

describe('a file of contacts', () => {
  it('a file of contacts that is one too many is refused before any of it is sent', async () => {
    isFull = true;
    const client = upload();
    await answered(client, 'HTTP/1.1 429');
    client.socket.destroy();
  });

  it('a file of contacts is taken line by line while it arrives, and answered at its end', async () => {
    const lines = Array.from({ length: 500 }, (_, line) => `2030${line},Ane\n`).join('');
    const file = `phone,name\n${lines}`;
    const client = upload(file.length);
    client.socket.write(file.slice(0, -1));
    await waitUntil(() => received.length === 400, { what: 'two portions' });
    expect(client.answer()).toBe('');
    client.socket.write(file.slice(-1));
    await answered(client, 'HTTP/1.1 202');
    expect([received.length, received.at(-1)]).toEqual([500, expect.objectContaining({ line: 501, phone: '2030499' })]);
    client.socket.destroy();
  });

  it('a file of contacts whose client leaves gives its place back', async () => {
    const client = upload();
    await began(1);
    client.socket.write('phone\n1\n');
    client.socket.destroy();
    await waitUntil(() => canceled.length === 1, { what: 'the end of the import' });
  });

  it('a file of contacts that is wrong is refused, with the rest of it unread', async () => {
    const client = upload();
    await began(1);
    client.socket.write('name\n1\n');
    await answered(client, 'HTTP/1.1 422');
    expect([canceled, client.answer()]).toEqual([['imp_1'], expect.stringContaining('has no column phone')]);
    client.socket.destroy();
  });

  it('a file of contacts that is longer than it may be is refused, announced or not', async () => {
    await answered(upload(FILE_BYTES + 1), 'HTTP/1.1 413');
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 17; at++) controller.enqueue(new Uint8Array(1024 * 1024).fill(10));
        controller.close();
      },
    });
    const headers = { 'X-Api-Key': ANES_KEY, 'Content-Type': 'text/csv' };
    const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
    expect((await fetch(`${gateway.url}/api/v1/contacts/imports`, init)).status).toBe(413);
    expect(canceled).toEqual(['imp_1']);
  });

  it('a file of contacts that is compressed is refused', async () => {
    const headers = { 'X-Api-Key': ANES_KEY, 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' };
    const response = await fetch(`${gateway.url}/api/v1/contacts/imports`, {
      method: 'POST',
      body: 'phone\n',
      headers,
    });
    expect([response.status, created]).toEqual([415, 0]);
  });

  it('a file of contacts of whichever company is refused while too many are received', async () => {
    const clients = Array.from({ length: RECEIVING_MAX }, () => upload());
    await began(RECEIVING_MAX);
    await answered(upload(), 'HTTP/1.1 503');
    clients[0]!.socket.destroy();
    await waitUntil(() => canceled.length === 1, { what: 'the end of one' });
    const file = 'phone\n1\n';
    const client = upload(file.length);
    client.socket.write(file);
    await answered(client, 'HTTP/1.1 202');
    for (const { socket } of [client, ...clients]) socket.destroy();
    await waitUntil(() => canceled.length === RECEIVING_MAX, { what: 'the end of all' });
  });
});
