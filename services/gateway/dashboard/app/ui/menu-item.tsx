import type { ReactNode } from 'react';
import type { Icon } from './icon.ts';

export interface MenuProps {
  /** The content of the button. */
  readonly button: ReactNode;
  readonly buttonClass: string;
  readonly label: string;
  /** Above the entries, such as who is signed in. */
  readonly heading?: ReactNode;
  /** `MenuItem` and `MenuLine`. */
  readonly children: ReactNode;
}

export interface MenuItemProps {
  readonly icon: Icon;
  readonly onAction: () => void;
  /** At the end, such as a shortcut. */
  readonly detail?: ReactNode;
  readonly children: string;
}

/** An entry of a menu, which shows it. */
export function MenuItem(_props: MenuItemProps): ReactNode {
  return null;
}

/** A line between entries. */
export function MenuLine(): ReactNode {
  return null;
}
