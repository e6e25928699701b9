import { expect, it } from '@jest/globals';
import { type ExportedFile, filesIn, jsonFile, messagesOf } from './exported-file.ts';

async function* of<Item>(...items: Item[]) {
  yield* items;
}

async function* asReceived(files: AsyncIterable<ExportedFile>) {
  for await (const { file = '', data = new Uint8Array() } of messagesOf(files)) yield { file, data };
}

async function textsOf(files: AsyncIterable<ExportedFile>) {
  const texts: Record<string, string> = {};
  for await (const { name, content } of files) texts[name] = Buffer.concat(await Array.fromAsync(content)).toString();
  return texts;
}

const audio = Buffer.alloc(200_000, 'x');
const files = () =>
  of<ExportedFile>(
    jsonFile('calls.json', of({ id: 'cal_1' }, { id: 'cal_2' })),
    { name: 'audio/cal_1-1.wav', content: of(audio) },
    jsonFile('texts.json', of()),
  );

it('files arrive as they were sent, in messages of bounded size', async () => {
  const texts = await textsOf(filesIn(asReceived(files())));
  expect(Object.keys(texts)).toEqual(['calls.json', 'audio/cal_1-1.wav', 'texts.json']);
  expect(JSON.parse(texts['calls.json']!)).toEqual([{ id: 'cal_1' }, { id: 'cal_2' }]);
  expect(JSON.parse(texts['texts.json']!)).toEqual([]);
  expect(texts['audio/cal_1-1.wav']).toBe(audio.toString());
  for await (const { data } of asReceived(files())) expect(data.length).toBeLessThanOrEqual(64 * 1024);
});

it('a file that is not read is skipped', async () => {
  const names: string[] = [];
  for await (const { name } of filesIn(asReceived(files()))) names.push(name);
  expect(names).toEqual(['calls.json', 'audio/cal_1-1.wav', 'texts.json']);
});
