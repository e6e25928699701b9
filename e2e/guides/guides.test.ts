import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedDataDir, sharedStack } from '../support/api.ts';
import { followGuide, MOVES_CLOCK, readGuides } from './follow-guide.ts';
import { type Computer, openReader, startComputer } from './reader.ts';

/** The addresses that a guide may name: the local stack's, examples, and those of public documents. */
const KNOWN_HOST = /^127\.0\.0\.1:(808[0-2]|4010)$|\.example$|^www\.standardwebhooks\.com$/;

const guides = await readGuides();
let computer: Computer;
beforeAll(async () => {
  computer = await startComputer();
  if (computer.withoutPython !== undefined)
    process.stderr.write(`left out: the guide for Python: ${computer.withoutPython}\n`);
});
afterAll(() => computer?.stop());

const newReader = () => openReader(computer, sharedStack(), sharedDataDir());

describe('a guide', () => {
  const followed = [...guides].filter(([name]) => name !== MOVES_CLOCK);

  it.each(followed)('a guide does and prints what it says: %s', async (name, text) => {
    if (name === 'quickstart-python' && computer.withoutPython !== undefined) return;
    await followGuide(text, await newReader());
  });

  it.each([...guides])('a guide has at most 120 lines and names no machine: %s', (_, text) => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(120);
    const hosts = [...text.matchAll(/(?:https?|wss?):\/\/(\w[\w.-]*\w(?::\d+)?)/g)].map(([, host]) => host!);
    expect(hosts.filter((host) => !KNOWN_HOST.test(host))).toEqual([]);
    expect(text).not.toMatch(/\b(?:pk|whsec|[a-z]{3})_[A-Za-z0-9]{10}|\/(?:home|root|tmp|work)\//);
  });

  const wrong = '```sh\necho con_aaaaaaaaaaaa\n```\n\n';
  it.each([
    ['```text\nbye\n```\n', 'line 5: this was printed instead:\ncon_aaaaaaaaaaaa'],
    ['```text\ncon_…\nbye\n```\n', 'line 5: this was printed instead:'],
    ['```sh\nfalse\n```\n', 'line 5: the terminal ended with 1'],
    ['```sh\necho evt_…\n```\n', 'line 5: nothing that was printed is evt_…'],
    ['```js\nprocess.exit()\n```\n', 'line 5: ```js is neither commands'],
    ['```sh\necho\n', 'has no end'],
  ])('a guide with the block %j fails', async (block, problem) => {
    await expect(newReader().then((reader) => followGuide(wrong + block, reader))).rejects.toThrow(problem);
  });

  it('a guide whose commands, ids and terminals fit is followed to its end', async () => {
    const text = `# A guide

\`\`\`sh
export NAME=Ane
echo con_aaaaaaaaaaaa; echo "$PWD" >&2
\`\`\`

\`\`\`text
con_…
…/folder
\`\`\`

\`\`\`sh terminal=other
echo first; echo second; echo third
sleep 60
\`\`\`

\`\`\`text terminal=other
first
…
\`\`\`

\`\`\`sh greeting.sh
echo "Hello $1 from con_…"
\`\`\`

\`\`\`sh
sh greeting.sh "$NAME"
\`\`\`

\`\`\`text
Hello Ane from con_aaaaaaaaaaaa
\`\`\`

\`\`\`text terminal=other
third
\`\`\`
`;
    await followGuide(text.replace('first\n…', 'first\n…nd'), await newReader());
  });
});
