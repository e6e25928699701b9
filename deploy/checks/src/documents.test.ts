import { describe, expect, it } from '@jest/globals';
import { documentProblems } from './documents.ts';

const FILES: Readonly<Record<string, string>> = {
  'docs/calls.md': '# Calls\n\n## Limits, and destinations\n',
  'libs/queues/src/batch.ts': 'a\n'.repeat(100),
  'libs/queues/src/batch.test.ts': 'a\n'.repeat(50),
  'services/directory/src/contacts/contact.ts': 'a\n',
};

function problemsOf(text: string): string[] {
  const files = new Map([...Object.entries(FILES), ['docs/read.md', text]]);
  const folders = [...files.keys()].flatMap((file) =>
    file.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/')),
  );
  return documentProblems('docs/read.md', {
    paths: new Set([...files.keys(), ...folders]),
    read: (file) => files.get(file) ?? '',
  });
}

describe('the check of documents', () => {
  it.each([
    '[calls](calls.md) and [limits](calls.md#limits-and-destinations), [elsewhere](https://example.com/x#y)',
    '[here](#part)\n\n## Part',
    '`libs/queues`, `libs/queues/src/`, `libs/*/src/batch.ts`, `services/<service>/src/contacts/contact.ts`, `contact.ts`',
    '`GET /contacts`, `/api/v1`, `contact.created`, `calls.json`, `node:http`',
    '(`libs/queues/src/batch.ts`, 90 lines), (`libs/queues`, 100 lines), (`services/*`, 1 folders)',
    '```sh\ncat libs/gone.ts `libs/gone.ts`\n```',
  ])('the text %j agrees with the files', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['[calls](call.md)', 'links to docs/call.md'],
    ['<img src="pictures/inbox.png">', 'links to docs/pictures/inbox.png'],
    ['[limits](calls.md#limit)', 'links to #limit'],
    ['`libs/roles`', 'names `libs/roles`'],
    ['`contacts.ts`', 'names `contacts.ts`'],
    ['(`libs/queues/src/batch.ts`, 40 lines)', 'has 40 lines; it has 100'],
    ['(`services/*`, 1,000 folders)', 'has 1,000 folders; it has 1'],
  ])('the text %j disagrees with the files', (text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]);
  });
});
