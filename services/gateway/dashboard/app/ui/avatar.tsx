import type { ReactNode } from 'react';
import { avatarIndex, initials } from './avatar-text.ts';
import styles from './avatar.module.css';
import { classes } from './classes.ts';
import type { Tone } from './badge.tsx';
import { UserRound } from './icons/index.ts';

/** A person: initials on a colour of their own, or a figure for an unknown number. */
export function Avatar(props: {
  /** The id of the contact or employee, which determines the colour. */
  id: string;
  /** Undefined for a number that nobody knows. */
  name: string | undefined;
  size?: 20 | 24 | 32 | 36 | 48;
  /** Present for coworkers only. */
  presence?: Tone | undefined;
}): ReactNode {
  const { id, name, size = 32, presence } = props;
  const letters = name === undefined ? '' : initials(name);
  const colour = letters === '' ? 7 : avatarIndex(id);
  return (
    <span className={classes(styles['avatar'], styles[`s${size}`], styles[`c${colour}`])} aria-hidden="true">
      {letters === '' ? <UserRound size={size / 2} strokeWidth={1.75} /> : letters}
      {presence && <span className={classes(styles['presence'], styles[`p-${presence}`])} />}
    </span>
  );
}
