import type { ReactNode } from 'react';
import type { Icon } from './icon.ts';

export interface MenuProps {
  /** The content of the button. */
  readonly button: ReactNode;
  readonly buttonClass: string;
  /** The accessible name of the button, if its content is none. */
  readonly buttonLabel?: string | undefined;
  readonly label: string;
  readonly placement?: 'bottom end' | 'bottom start' | 'top start' | 'right bottom' | undefined;
  /** Above the entries, such as who is signed in. */
  readonly heading?: ReactNode;
  /** `MenuItem` and `MenuLine`. */
  readonly children: ReactNode;
}

export interface MenuItemProps {
  readonly icon?: Icon | undefined;
  readonly onAction?: (() => void) | undefined;
  readonly isDestructive?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  /** At the end, such as a shortcut. */
  readonly detail?: ReactNode;
  readonly children: string;
}

/** An entry of a menu, which shows it; destructive ones come last. */
export function MenuItem(_props: MenuItemProps): ReactNode {
  return null;
}

/** A line between entries. */
export function MenuLine(): ReactNode {
  return null;
}
