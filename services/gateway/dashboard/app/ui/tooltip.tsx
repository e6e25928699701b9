import type { ReactNode } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Kbd } from './badge.tsx';
import styles from './tooltip.module.css';

/** The name of a control that shows only an icon, and its shortcut. */
export function Hint(props: {
  text: string;
  shortcut?: string | undefined;
  placement?: 'top' | 'right' | undefined;
  /** A single control of React Aria. */
  children: ReactNode;
}): ReactNode {
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      {props.children}
      <Tooltip placement={props.placement ?? 'top'} offset={6} className={styles['tooltip']!}>
        {props.text}
        {props.shortcut && <Kbd>{props.shortcut}</Kbd>}
      </Tooltip>
    </TooltipTrigger>
  );
}
