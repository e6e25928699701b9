import type { ComponentProps, ReactNode, Ref } from 'react';
import { Button, type ButtonProps } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Link } from 'wouter';
import { Kbd } from './badge.tsx';
import { classes } from './classes.ts';
import { type Icon, LARGE, MEDIUM } from './icon.ts';
import styles from './icon-button.module.css';

type PressProps = Omit<ButtonProps, 'children' | 'className' | 'style' | 'aria-label'> & {
  ref?: Ref<HTMLButtonElement>;
};

/** A button that is an icon; its name is its tooltip. */
export function IconButton(props: PressProps & { label: string; icon: Icon; placement?: 'top' | 'right' }): ReactNode {
  const { label, icon: Shape, placement, ...press } = props;
  return (
    <Hint text={label} placement={placement}>
      <Button {...press} aria-label={label} className={styles['square']!}>
        <Shape {...MEDIUM} />
      </Button>
    </Hint>
  );
}

/** The same as an element of the browser, which costs a tenth: for lists whose rows are rendered while one scrolls. */
export function PlainIconButton(
  props: Pick<ComponentProps<'button'>, 'disabled' | 'onClick' | 'children'> & { label: string },
): ReactNode {
  const { label, ...button } = props;
  return <button type="button" {...button} title={label} aria-label={label} className={styles['square']} />;
}

/** A link that is an icon. */
export function IconLink(props: {
  href: string;
  label: string;
  icon: Icon;
  /** The label appears beside the pointer, too. */
  showsLabel?: boolean;
  className?: string | undefined;
}): ReactNode {
  const { href, label, icon: Shape, showsLabel, className } = props;
  return (
    <Link
      href={href}
      className={classes(styles['link'], className)}
      aria-label={label}
      title={showsLabel ? label : undefined}
    >
      <Shape {...MEDIUM} />
    </Link>
  );
}

/** A round button with its word below, as in a call. */
export function RoundButton(
  props: PressProps & {
    label: string;
    icon: Icon;
    shortcut?: string;
    tone?: 'good' | 'bad';
    isOn?: boolean | undefined;
    /** The word is the tooltip instead. */
    hidesWord?: boolean;
  },
): ReactNode {
  const { label, icon: Shape, shortcut, tone, isOn, hidesWord, ...press } = props;
  const button = (
    <Button
      {...press}
      aria-label={label}
      className={classes(styles['round'], tone && styles[tone], isOn && styles['pressed'])}
    >
      <Shape {...(tone ? LARGE : MEDIUM)} />
    </Button>
  );
  if (hidesWord)
    return (
      <Hint text={label} shortcut={shortcut}>
        {button}
      </Hint>
    );
  return (
    <span className={styles['labelled']}>
      {button}
      <span aria-hidden="true">{label}</span>
    </span>
  );
}

/** The name of a control that shows only an icon, and its shortcut. */
function Hint(props: {
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
