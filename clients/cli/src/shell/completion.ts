import type { Command, Option } from 'commander';

/** A word that can follow, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/**
 * What can stand at the last of `words`, which is being typed. Nothing where a file or a text of the user's own stands: the shell completes
 * file names itself.
 */
export function candidatesFor(program: Command, words: readonly string[]): Candidate[] {
  const typed = words.at(-1) ?? '';
  let command = program;
  let position = 0;
  let awaited: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (awaited) awaited = undefined;
    else if (word.startsWith('-')) awaited = optionNamed(command, word);
    else {
      const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (next) [command, position] = [next, 0];
      else position += 1;
    }
  }
  return possible(command, { awaited, position, typed }).filter(({ word }) => word.startsWith(typed));
}

interface Place {
  readonly awaited: Option | undefined;
  /** How many arguments are there already. */
  readonly position: number;
  readonly typed: string;
}

function possible(command: Command, { awaited, position, typed }: Place): Candidate[] {
  if (awaited) return (awaited.argChoices ?? []).map((word) => ({ word, description: '' }));
  if (typed.startsWith('-')) return optionsOf(command).flatMap(optionCandidates);
  const choices = command.registeredArguments[position]?.argChoices ?? [];
  return [
    ...(position === 0 ? visible(command).map((one) => ({ word: one.name(), description: one.description() })) : []),
    ...choices.map((word) => ({ word, description: '' })),
  ];
}

function visible(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
}

/** An option that takes a value, which is the next word. */
function optionNamed(command: Command, word: string): Option | undefined {
  if (word.includes('=')) return undefined;
  return optionsOf(command).find(
    ({ short, long, required, optional }) => (short === word || long === word) && (required || optional),
  );
}

function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function optionCandidates({ long, short, description }: Option): Candidate[] {
  const word = long ?? short;
  return word === undefined ? [] : [{ word, description }];
}
