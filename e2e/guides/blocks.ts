/** A block of code in a guide; README.md says what becomes of each kind. */
export interface Block {
  readonly kind: 'commands' | 'output' | 'file';
  /** Its line in the guide. */
  readonly line: number;
  /** Of a file its name, otherwise the terminal; the first one has no name. */
  readonly name: string;
  readonly text: string;
}

const BLOCK = /^```(.+)\n([\s\S]*?)^```$/gm;

/** The blocks of a guide, in order; an error for one that would be neither executed nor compared. */
export function blocksOf(guide: string): Block[] {
  const fences = guide.match(/^```/gm)?.length ?? 0;
  const blocks = [...guide.matchAll(BLOCK)].map(([, info = '', text = ''], index, all) => {
    const line = guide.slice(0, all[index]!.index).split('\n').length;
    return { ...kindOf(info, line), line, text };
  });
  if (blocks.length * 2 !== fences) throw new Error('a block of the guide does not say what it is, or has no end');
  return blocks;
}

function kindOf(info: string, line: number): Pick<Block, 'kind' | 'name'> {
  const [, language = '', terminal = '', file = ''] =
    /^([a-z]+)(?: (?:terminal=([a-z-]+)|([\w-]+\.[\w.]+)))?$/.exec(info) ?? [];
  if (file !== '') return { kind: 'file', name: file };
  if (language === 'sh') return { kind: 'commands', name: terminal };
  if (language === 'text') return { kind: 'output', name: terminal };
  throw new Error(
    `line ${line}: \`\`\`${info} is neither commands (sh), output (text) nor a file (such as ts first.mts)`,
  );
}
