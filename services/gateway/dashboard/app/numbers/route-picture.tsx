import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { employeesQuery } from '../api/shared-queries.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t, tn } from '../i18n/translate.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Kbd } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import { type Icon, MEDIUM } from '../ui/icon.ts';
import {
  Ban,
  Bot,
  CircleDashed,
  Clock,
  ListTree,
  PhoneForwarded,
  PhoneIncoming,
  UsersRound,
  Voicemail,
  Volume2,
} from '../ui/icons/index.ts';
import type { CallFlowForm } from './call-flow-form.ts';
import { type NoAnswerForm, timeoutText } from './no-answer-form.ts';
import {
  narrowRouteLayout,
  type NodeKind,
  routeLayout,
  type RouteNode,
  type RoutePart,
  type Target,
} from './route-layout.ts';
import styles from './route-picture.module.css';

const ICONS: Readonly<Record<NodeKind, Icon>> = {
  call: PhoneIncoming,
  hours: Clock,
  menu: ListTree,
  welcome: Volume2,
  ring: UsersRound,
  forward: PhoneForwarded,
  voicemail: Voicemail,
  reject: Ban,
  assistant: Bot,
  unset: CircleDashed,
};

/** Avatars that fit into a node. */
const PEOPLE_MAX = 4;

/** Below each other instead of beside each other; the style sheet makes the picture smaller until then. */
const narrow = matchMedia('(max-width: 1009px)');
const followNarrow = (onChange: () => void) => {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
};

interface Person {
  readonly id: string;
  readonly name: string;
}

/** The way of a call, from its arrival to who answers; each node opens the form of its part. */
export function RoutePicture(props: {
  incoming: CallFlowForm;
  outside: CallFlowForm;
  noAnswer: NoAnswerForm;
  isOpen: boolean | undefined;
  chosen: RoutePart | undefined;
  onChoose: (part: RoutePart, digit?: string) => void;
}): ReactNode {
  const { incoming, outside, noAnswer, isOpen, chosen } = props;
  const { data: employees } = useQuery(employeesQuery);
  const isNarrow = useSyncExternalStore(followNarrow, () => narrow.matches);
  const layout = useMemo(
    () => (isNarrow ? narrowRouteLayout : routeLayout)({ incoming, outside, noAnswer, isOpen }),
    [isNarrow, incoming, outside, noAnswer, isOpen],
  );
  const outsideNode = layout.nodes.find(({ id }) => id === 'outside')!;
  const flowNode = layout.nodes.find(({ id }) => id === 'incoming')!;
  const hoursNode = layout.nodes.find(({ id }) => id === 'hours')!;
  const fallbackNode = layout.nodes.find(({ isFallback }) => isFallback);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus
    <div className={styles['frame']} role="group" aria-label={t('Route')} tabIndex={0}>
      <div className={styles['picture']} style={{ width: layout.width + 2, height: layout.height }}>
        <svg width={layout.width + 2} height={layout.height} className={styles['lines']} aria-hidden="true">
          {layout.edges
            .toSorted((one, other) => Number(one.isTaken) - Number(other.isTaken))
            .map(({ path, isTaken }) => (
              <path key={path} d={path} className={isTaken ? styles['taken-line'] : undefined} />
            ))}
        </svg>
        <Label x={flowNode.x} y={flowNode.y - 22}>
          {t('Incoming calls')}
        </Label>
        <Label x={outsideNode.x} y={outsideNode.y - 22}>
          {t('Outside business hours')}
        </Label>
        {!isNarrow && (
          <Label x={hoursNode.x + 38} y={(hoursNode.y + hoursNode.height + outsideNode.y) / 2 - 4}>
            {t('closed')}
          </Label>
        )}
        {fallbackNode && (
          <Label x={fallbackNode.x} y={fallbackNode.y - 22}>
            {t('If it cannot help')}
          </Label>
        )}
        {layout.noAnswerLabel && (
          <Label {...layout.noAnswerLabel}>
            {noAnswer.timeoutSecs === null
              ? t('No answer')
              : t('No answer after {time}', { time: timeoutText(noAnswer.timeoutSecs) })}
          </Label>
        )}
        {layout.nodes.map((node) => (
          <Node
            key={node.id}
            node={node}
            isOpen={isOpen}
            isTaken={layout.taken.has(node.id)}
            saysKey={isNarrow}
            isChosen={node.part === chosen && node.id !== 'call' && !node.id.startsWith('target')}
            peopleOf={(target) => peopleOf(target, employees)}
            onPress={() => props.onChoose(node.part, node.digit)}
          />
        ))}
      </div>
    </div>
  );
}

function Label({ x, y, children }: { x: number; y: number; children: ReactNode }): ReactNode {
  return (
    <span className={styles['label']} style={{ left: x, top: y }} aria-hidden="true">
      {children}
    </span>
  );
}

function Node(props: {
  node: RouteNode;
  isOpen: boolean | undefined;
  isTaken: boolean;
  /** Says which key leads here, where no line shows it. */
  saysKey: boolean;
  isChosen: boolean;
  peopleOf: (target: Target) => readonly Person[];
  onPress: () => void;
}): ReactNode {
  const { node, peopleOf: peopleAt } = props;
  const { kind, x, y, width, height, quote, keys } = node;
  const people = peopleAt(node);
  const Shape = ICONS[kind];
  return (
    <button
      type="button"
      className={classes(
        styles['node'],
        props.isTaken && styles['taken'],
        props.isChosen && styles['chosen'],
        kind === 'unset' && styles['dashed'],
      )}
      aria-pressed={props.isChosen}
      style={{ left: x, top: y, width, height }}
      onClick={props.onPress}
    >
      <span className={styles['title']}>
        <Shape {...MEDIUM} />
        <span className={styles['words']}>{titleOf(node)}</span>
        {props.saysKey && node.digit !== undefined && <Kbd>{node.digit}</Kbd>}
      </span>
      {people.length > 0 ? (
        <span className={styles['people']}>
          {people.slice(0, PEOPLE_MAX).map(({ id, name }) => (
            <Avatar key={id} id={id} name={name} size={20} />
          ))}
          <span className={styles['second']}>{peopleText(people)}</span>
        </span>
      ) : (
        <span className={styles['second']}>{secondLine(node, props.isOpen) ?? (quote && `“${quote}”`)}</span>
      )}
      {keys?.map((target, index) => (
        <span key={index} className={styles['key']}>
          <Kbd>{target.digit}</Kbd> <span className={styles['words']}>{keyText(target, peopleAt(target))}</span>
        </span>
      ))}
    </button>
  );
}

/** In a word: the node that the key leads to says more. */
function keyText(target: Target, people: readonly Person[]): string {
  return people.length > 0 ? peopleText(people) : titleOf(target);
}

function titleOf(node: Target & Partial<Pick<RouteNode, 'part'>>): string {
  const titles: Readonly<Record<NodeKind, string>> = {
    call: t('A call'),
    hours: t('Hours'),
    menu: t('Menu'),
    welcome: t('Welcome'),
    ring: node.employeeIds?.length ? t('Ring') : t('Who should ring?'),
    forward: t('Forward to'),
    voicemail: t('Voicemail'),
    reject: t('Message'),
    assistant: t('Assistant'),
    unset: node.part === 'noAnswer' ? t('Keeps ringing') : t('As when open'),
  };
  return titles[node.kind];
}

function secondLine(node: RouteNode, isOpen: boolean | undefined): string | undefined {
  if (node.kind === 'call') return t('arrives');
  if (node.phone !== undefined) return phoneText(node.phone);
  if (node.assistant !== undefined) return node.assistant;
  if (node.kind === 'hours') return isOpen === undefined ? '' : isOpen ? t('Open then') : t('Closed then');
  return undefined;
}

function peopleText(people: readonly Person[]): string {
  if (people.length === 1) return people[0]!.name;
  return people.length === 2
    ? people.map(({ name }) => name.split(' ')[0]).join(', ')
    : tn(people.length, '1 person', '{count} people');
}

/** Nobody until the employees have been read. */
function peopleOf({ employeeIds = [] }: Target, employees: readonly Person[] | undefined): readonly Person[] {
  if (!employees) return [];
  return employeeIds.map((id) => employees.find((employee) => employee.id === id) ?? { id, name: '?' });
}
