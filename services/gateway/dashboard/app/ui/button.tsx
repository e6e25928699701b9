import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaProps } from 'react-aria-components/Button';
import { Link as RouterLink } from 'wouter';
import styles from './button.module.css';
import { classes } from './classes.ts';
import { type Icon, MEDIUM, SMALL } from './icon.ts';
import { Download } from './icons/index.ts';

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'answer';

interface Appearance {
  /** At most one `primary` in a view. */
  readonly variant?: Variant | undefined;
  readonly size?: 's' | 'm' | 'l' | undefined;
  readonly icon?: Icon | undefined;
  /** As wide as its container. */
  readonly block?: boolean | undefined;
  readonly children: ReactNode;
}

export interface ButtonProps extends Appearance, Omit<AriaProps, 'children' | 'className' | 'style'> {
  readonly ref?: Ref<HTMLButtonElement>;
  /** It is being done: pressing again does nothing, the focus stays. */
  readonly busy?: boolean | undefined;
}

export function Button({ variant, size, icon, block, busy = false, children, ...props }: ButtonProps): ReactNode {
  return (
    <AriaButton
      {...props}
      // React Aria's own pending state leaves the name of a button that is gone in a live region.
      {...(busy && { 'aria-disabled': true, type: 'button', onPress: () => undefined })}
      className={classNameOf({ variant, size, block })}
    >
      {busy && <span className={styles['spinner']} aria-hidden="true" />}
      {!busy && icon && <Glyph icon={icon} size={size} />}
      {children}
    </AriaButton>
  );
}

/** A link that looks like a button: it leads to another page. */
export function ButtonLink({ variant, size, icon, block, children, href }: Appearance & { href: string }): ReactNode {
  return (
    <RouterLink href={href} className={classNameOf({ variant, size, block })}>
      {icon && <Glyph icon={icon} size={size} />}
      {children}
    </RouterLink>
  );
}

/** A file of the API. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <a href={href} download className={classNameOf({ size: 's' })}>
      <Glyph icon={Download} size="s" />
      {children}
    </a>
  );
}

function Glyph({ icon: Shape, size }: { icon: Icon; size: Appearance['size'] }): ReactNode {
  return <Shape {...(size === 's' ? SMALL : MEDIUM)} />;
}

function classNameOf({
  variant = 'secondary',
  size = 'm',
  block,
}: Pick<Appearance, 'variant' | 'size' | 'block'>): string {
  return classes(styles['button'], styles[variant], styles[size], block && styles['block']);
}
