import { useEffect, useEffectEvent } from 'react';

type Handler = (event: KeyboardEvent) => void;

/** The handlers of each key; the last one that was added is called. */
const handlers = new Map<string, Handler[]>();

const LETTERS_KEY = 'parley.letters';
/** A letter after `G` within this time is one shortcut. */
const SEQUENCE_MS = 1200;

export const usesLetters = (): boolean => localStorage.getItem(LETTERS_KEY) !== 'off';

export function chooseLetters(isOn: boolean): void {
  localStorage.setItem(LETTERS_KEY, isOn ? 'on' : 'off');
}

/**
 * Does something when keys are pressed, as long as the component is shown: a letter (`e`), one after another (`g i`), or with a key
 * held (`ctrl+k`, `alt+m`). Letters do nothing while one types.
 */
export function useShortcut(keys: string, handle: Handler | undefined): void {
  const callLatest = useEffectEvent((event: KeyboardEvent) => handle?.(event));
  const isOn = handle !== undefined;
  useEffect(() => {
    if (!isOn) return;
    const own: Handler = (event) => callLatest(event);
    handlers.set(keys, [...(handlers.get(keys) ?? []), own]);
    return () => {
      handlers.set(keys, handlers.get(keys)?.filter((one) => one !== own) ?? []);
    };
  }, [keys, isOn]);
}

/** Listens for all shortcuts; once in the application. */
export function useShortcuts(): void {
  useEffect(() => {
    let first: { key: string; at: number } | undefined;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return;
      const keys = keysOf(event);
      const isLetter = !keys.includes('+') || keys === '+';
      if (isLetter && (isTyping(event.target) || !usesLetters() || hasOpenDialog())) return;
      const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${keys}` : undefined;
      first = isLetter ? { key: keys, at: event.timeStamp } : undefined;
      const handle = (sequence && handlers.get(sequence)?.at(-1)) ?? handlers.get(keys)?.at(-1);
      if (!handle) return;
      event.preventDefault();
      handle(event);
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function keysOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // With Alt held some keyboards write another letter: the key itself is meant.
  const plain = event.altKey && event.code.startsWith('Key') ? event.code.slice(3).toLowerCase() : key;
  const held = [(event.ctrlKey || event.metaKey) && 'ctrl', event.altKey && 'alt'].filter(Boolean);
  return [...held, plain].join('+');
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
  );
}

function hasOpenDialog(): boolean {
  return document.querySelector('[role=dialog], [role=menu]') !== null;
}
