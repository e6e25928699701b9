// What `npm run stress -- sends`, or `npm run stress -- sends 200` for fewer, runs. Each story has a stack of its own.
import { stressMixedInbox } from './mixed-inbox.ts';
import { stressPagingReaders } from './paging-readers.ts';
import { stressSends } from './sends.ts';

const stories: Record<string, { run: (count: number) => Promise<void>; count: number }> = {
  sends: { run: stressSends, count: 5000 },
  'mixed-inbox': { run: stressMixedInbox, count: 50_000 },
  'paging-readers': { run: stressPagingReaders, count: 6000 },
};

const [name = '', count] = process.argv.slice(2);
const story = stories[name];
if (!story) {
  console.error(`npm run stress -- <${Object.keys(stories).join(' | ')}> [count]`);
  process.exit(1);
}
console.log(`— ${name}`);
await story.run(count === undefined ? story.count : Number(count));
