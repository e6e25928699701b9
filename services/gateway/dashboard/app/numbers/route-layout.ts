import {
  type CallFlowForm,
  type CallFlowType,
  hasPrompt,
  type MenuAction,
  NO_ASSISTANT,
  ringsEmployees,
} from './call-flow-form.ts';
import type { NoAnswerForm } from './no-answer-form.ts';

/** The part of the page whose form a node opens. */
export type RoutePart = 'incoming' | 'outside' | 'noAnswer' | 'hours';

export type NodeKind =
  | 'call'
  | 'hours'
  | 'menu'
  | 'welcome'
  | 'ring'
  | 'forward'
  | 'voicemail'
  | 'reject'
  | 'assistant'
  | 'unset';

export interface RouteNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly part: RoutePart;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The prompt for callers. */
  readonly quote?: string;
  /** Outside the company. */
  readonly phone?: string;
  /** The name of the assistant that answers. */
  readonly assistant?: string;
  readonly employeeIds?: readonly string[];
  /** The keys of a menu, with what each of them leads to. */
  readonly keys?: readonly Target[];
  /** The key that leads to this node. */
  readonly digit?: string;
  /** Where an assistant leads that cannot help. */
  readonly isFallback?: boolean;
}

export interface RouteEdge {
  readonly path: string;
  /** True when a call takes it at the chosen time. */
  readonly isTaken: boolean;
}

export interface RouteLayout {
  readonly nodes: readonly RouteNode[];
  readonly edges: readonly RouteEdge[];
  readonly noAnswerLabel: { readonly x: number; readonly y: number } | undefined;
  readonly width: number;
  readonly height: number;
  /** Ids of the nodes that a call reaches at the chosen time. */
  readonly taken: ReadonlySet<string>;
}

const COLUMN = { call: 0, hours: 112, flow: 252, target: 468, noAnswer: 508 };
const WIDTH = { call: 88, hours: 116, flow: 168, target: 212, noAnswer: 172 };
/** On a phone everything is below each other, indented by what it follows. */
const INDENT = { call: 0, hours: 0, flow: 32, target: 64, noAnswer: 96 };
const NARROW = 340;
/** From a node's left edge to the line that leads down from it. */
const STEM = 16;
const STEP = 20;
const TOP = 28;
const NODE = 56;
const TARGET = 64;
const GAP = 12;
const MENU_HEAD = 62;
const MENU_ROW = 34;
const RADIUS = 12;
const LABEL = 28;
/** Beside the targets of a menu, for the lines from those that ring to what happens without an answer. */
const BESIDE = 16;

interface Route {
  readonly incoming: CallFlowForm;
  readonly outside: CallFlowForm;
  readonly noAnswer: NoAnswerForm;
  /** Undefined while it is not known. */
  readonly isOpen: boolean | undefined;
}

/** The same picture in the width of a phone, from the top to the bottom. */
export function narrowRouteLayout(route: Route): RouteLayout {
  const wide = routeLayout(route);
  let y = 0;
  const placed = new Map<string, RouteNode>();
  for (const node of wide.nodes.toSorted((one, other) => narrowOrder(one) - narrowOrder(other))) {
    const x = INDENT[columnOf(node)];
    y += placed.size === 0 ? 0 : isLabelled(node) ? STEP + LABEL : STEP;
    placed.set(node.id, { ...node, x, y, width: narrowWidth(node, x, wide.nodes) });
    y += node.height;
  }
  const nodes = wide.nodes.map(({ id }) => placed.get(id)!);
  const takes = (id: string) => wide.taken.has(id);
  const edges = nodes.flatMap((node): RouteEdge[] => {
    if (node.id === 'no answer' && isMenu(nodes)) return noAnswerEdges(nodes, node);
    const from = placed.get(parentOf(node, nodes) ?? '');
    if (!from) return [];
    const path =
      from.x === node.x
        ? `M${from.x + STEM} ${from.y + from.height} V${node.y}`
        : downThenRight(from.x + STEM, from.y + from.height, node.x, centre(node));
    return [{ path, isTaken: takes(node.id) && takes(from.id) }];
  });
  const noAnswer = placed.get('no answer');
  return {
    nodes,
    edges,
    taken: wide.taken,
    noAnswerLabel: noAnswer && { x: noAnswer.x, y: noAnswer.y - 22 },
    width: NARROW,
    height: y + 16,
  };
}

function columnOf({ id }: RouteNode): keyof typeof INDENT {
  if (id === 'call' || id === 'hours') return id;
  if (id === 'no answer') return 'noAnswer';
  return id.startsWith('target') ? 'target' : 'flow';
}

const isTarget = ({ id }: RouteNode) => id.startsWith('target');

/** Of several targets some may not ring. */
const isMenu = (nodes: readonly RouteNode[]) => nodes.filter(isTarget).length > 1;

function narrowWidth(node: RouteNode, x: number, nodes: readonly RouteNode[]): number {
  const column = columnOf(node);
  if (column === 'call') return 120;
  const hasLine = isMenu(nodes) && (column === 'target' || column === 'noAnswer');
  return NARROW - x - (hasLine ? BESIDE : 0);
}

const isRinging = ({ kind }: Pick<RouteNode, 'kind'>) => kind === 'ring' || kind === 'forward';

/** From every target that rings, along the right side of those below it. */
function noAnswerEdges(nodes: readonly RouteNode[], to: RouteNode): RouteEdge[] {
  return nodes
    .filter((node) => isTarget(node) && isRinging(node))
    .map((from) => ({
      path: besideThenLeft(from.x + from.width, centre(from), to.x + to.width, centre(to)),
      isTaken: false,
    }));
}

const isLabelled = ({ id, isFallback = false }: RouteNode) =>
  isFallback || id === 'incoming' || id === 'outside' || id === 'no answer';

const narrowOrder = (node: RouteNode) =>
  ['call', 'hours', 'flow', 'target', 'noAnswer'].indexOf(columnOf(node)) + (node.id === 'outside' ? 9 : 0);

/** The id of the node that leads to this one. */
function parentOf(node: RouteNode, nodes: readonly RouteNode[]): string | undefined {
  const parents: Readonly<Record<keyof typeof INDENT, string | undefined>> = {
    call: undefined,
    hours: 'call',
    flow: 'hours',
    target: 'incoming',
    noAnswer: nodes.find(isTarget)?.id ?? 'incoming',
  };
  return parents[columnOf(node)];
}

/** Computes the positions of a route: the call, the hours, the flow, the employees who are rung, and the flow without an answer. */
export function routeLayout(route: Route): RouteLayout {
  const { incoming, outside, noAnswer, isOpen } = route;
  const targets = targetsOf(incoming);
  const targetsHeight = targets.length * TARGET + Math.max(0, targets.length - 1) * GAP;
  const flowHeight = incoming.type === 'PhoneMenuConfig' ? MENU_HEAD + incoming.options.length * MENU_ROW : TARGET;
  const middle = TOP + Math.max(flowHeight, targetsHeight, NODE) / 2;
  const rings = [{ kind: kindOf(incoming) }, ...targets].some(isRinging);

  const call: RouteNode = box('call', 'call', 'incoming', COLUMN.call, middle - NODE / 2, WIDTH.call, NODE);
  const hours: RouteNode = box('hours', 'hours', 'hours', COLUMN.hours, middle - NODE / 2, WIDTH.hours, NODE);
  const flow: RouteNode = {
    ...box('incoming', kindOf(incoming), 'incoming', COLUMN.flow, middle - flowHeight / 2, WIDTH.flow, flowHeight),
    ...flowText(incoming),
  };
  const targetsTop = middle - targetsHeight / 2;
  const targetNodes = targets.map((target, index): RouteNode => ({
    ...box(
      `target ${target.digit ?? ''}`,
      target.kind,
      'incoming',
      COLUMN.target,
      targetsTop + index * (TARGET + GAP),
      WIDTH.target,
      TARGET,
    ),
    ...target,
  }));
  const lowestTarget = targetNodes.at(-1);
  const upper = Math.max(flow.y + flow.height, hours.y + hours.height);
  const outsideNode: RouteNode = {
    ...box('outside', kindOf(outside), 'outside', COLUMN.flow, upper + LABEL + 24, WIDTH.flow, TARGET),
    ...flowText(outside),
  };
  const noAnswerNode: RouteNode | undefined = rings
    ? {
        ...box(
          'no answer',
          noAnswer.timeoutSecs === null ? 'unset' : kindOf(noAnswer.flow),
          'noAnswer',
          COLUMN.noAnswer,
          lowestTarget ? lowestTarget.y + lowestTarget.height + LABEL : middle - NODE / 2,
          WIDTH.noAnswer,
          NODE,
        ),
        ...flowText(noAnswer.flow),
      }
    : undefined;
  const nodes = [call, hours, flow, ...targetNodes, outsideNode, ...(noAnswerNode ? [noAnswerNode] : [])];

  const withoutAnswer = (node: RouteNode): RouteEdge[] => {
    if (isMenu(nodes)) return noAnswerEdges(nodes, node);
    const path = lowestTarget
      ? downThenRight(lowestTarget.x + STEM, lowestTarget.y + lowestTarget.height, node.x, centre(node))
      : line(flow.x + flow.width, middle, node.x);
    return [{ path, isTaken: false }];
  };
  // Which key is pressed is not known, nor whether an assistant can help.
  const isFollowed = incoming.type !== 'PhoneMenuConfig' && incoming.type !== 'AssistantConfig';
  const isTakenOpen = isOpen === true || (isOpen === false && outside.type === null);
  const edges: RouteEdge[] = [
    { path: line(call.x + call.width, middle, hours.x), isTaken: isOpen !== undefined },
    { path: line(hours.x + hours.width, middle, flow.x), isTaken: isTakenOpen },
    {
      path: downThenRight(hours.x + hours.width / 2, hours.y + hours.height, outsideNode.x, centre(outsideNode)),
      isTaken: isOpen === false && outside.type !== null,
    },
    ...targetNodes.map((node, index) => ({
      path: elbow(
        flow.x + flow.width,
        incoming.type === 'PhoneMenuConfig' ? flow.y + MENU_HEAD + (index + 0.5) * MENU_ROW : middle,
        node.x,
        centre(node),
      ),
      isTaken: isTakenOpen && isFollowed,
    })),
    ...(noAnswerNode ? withoutAnswer(noAnswerNode) : []),
  ];
  const taken = new Set<string>();
  if (isOpen !== undefined)
    taken
      .add('call')
      .add('hours')
      .add(isTakenOpen ? 'incoming' : 'outside');
  if (isTakenOpen && isFollowed) for (const { id } of targetNodes) taken.add(id);
  return {
    nodes,
    edges,
    taken,
    noAnswerLabel: noAnswerNode && { x: noAnswerNode.x - (lowestTarget ? 12 : 0), y: noAnswerNode.y - 22 },
    width: Math.max(...nodes.map((node) => node.x + node.width)) + (noAnswerNode && isMenu(nodes) ? BESIDE : 0),
    height: Math.max(...nodes.map((node) => node.y + node.height)) + 16,
  };
}

function box(
  id: string,
  kind: NodeKind,
  part: RoutePart,
  x: number,
  y: number,
  width: number,
  height: number,
): RouteNode {
  return { id, kind, part, x, y, width, height };
}

const centre = (node: RouteNode) => node.y + node.height / 2;

const KINDS: Readonly<Record<CallFlowType, NodeKind>> = {
  PhoneMenuConfig: 'menu',
  WelcomeTransferConfig: 'welcome',
  TransferConfig: 'ring',
  ForwardConfig: 'forward',
  VoicemailConfig: 'voicemail',
  RejectConfig: 'reject',
  AssistantConfig: 'assistant',
};

const kindOf = ({ type }: CallFlowForm): NodeKind => (type === null ? 'unset' : KINDS[type]);

function flowText(form: CallFlowForm): Pick<RouteNode, 'quote' | 'phone' | 'assistant' | 'keys' | 'employeeIds'> {
  switch (form.type) {
    case 'PhoneMenuConfig':
      return { quote: form.welcome, keys: targetsOf(form) };
    case 'WelcomeTransferConfig':
      return { quote: form.welcome, employeeIds: form.employeeIds };
    case 'TransferConfig':
      return { employeeIds: form.employeeIds };
    case 'VoicemailConfig':
      return { quote: form.greeting };
    case 'RejectConfig':
      return { quote: form.message };
    case 'ForwardConfig':
      return { phone: form.forward.phone_number };
    case 'AssistantConfig':
      return { assistant: form.assistant?.name ?? '' };
    case null:
      return {};
  }
}

/** What a key of a menu, or a welcome, leads to. */
export type Target = Pick<RouteNode, 'kind' | 'quote' | 'phone' | 'assistant' | 'employeeIds' | 'digit' | 'isFallback'>;

/** The nodes after the first one: the targets of the keys, the employees after the welcome, or the fallback of the assistant. */
function targetsOf(form: CallFlowForm): readonly Target[] {
  if (form.type === 'AssistantConfig') {
    const { fallback } = form.assistant ?? NO_ASSISTANT;
    const [rung = { kind: kindOf(fallback), ...flowText(fallback) }] = targetsOf(fallback);
    return [{ ...rung, isFallback: true }];
  }
  if (form.type === 'WelcomeTransferConfig') return [{ kind: 'ring', employeeIds: form.employeeIds }];
  if (form.type !== 'PhoneMenuConfig') return [];
  return form.options.map(({ digit, action, prompt, employeeIds, forward, assistant }) => ({
    kind: targetKind(action),
    digit,
    ...(hasPrompt(action) && { quote: prompt }),
    ...(action === 'ForwardConfig' && { phone: forward?.phone_number ?? '' }),
    ...(action === 'AssistantConfig' && { assistant: assistant?.name ?? '' }),
    ...(ringsEmployees(action) && { employeeIds }),
  }));
}

function targetKind(action: MenuAction): NodeKind {
  if (ringsEmployees(action)) return 'ring';
  if (action === 'ForwardConfig') return 'forward';
  if (action === 'AssistantConfig') return 'assistant';
  return action === 'VoicemailConfig' ? 'voicemail' : 'reject';
}

const line = (x: number, y: number, to: number): string => `M${x} ${y} H${to}`;

/** Right, then up or down, then right again. */
function elbow(x1: number, y1: number, x2: number, y2: number): string {
  const rise = y2 - y1;
  if (Math.abs(rise) < 1) return line(x1, y1, x2);
  const radius = Math.min(RADIUS, Math.abs(rise) / 2);
  const sign = Math.sign(rise);
  const x = (x1 + x2) / 2;
  return `M${x1} ${y1} H${x - radius} Q${x} ${y1} ${x} ${y1 + sign * radius} V${y2 - sign * radius} Q${x} ${y2} ${x + radius} ${y2} H${x2}`;
}

function downThenRight(x1: number, y1: number, x2: number, y2: number): string {
  return `M${x1} ${y1} V${y2 - RADIUS} Q${x1} ${y2} ${x1 + RADIUS} ${y2} H${x2}`;
}

/** Right, then down, then back to the left. */
function besideThenLeft(x1: number, y1: number, x2: number, y2: number): string {
  const x = Math.max(x1, x2) + BESIDE - 2;
  return `M${x1} ${y1} H${x - RADIUS} Q${x} ${y1} ${x} ${y1 + RADIUS} V${y2 - RADIUS} Q${x} ${y2} ${x - RADIUS} ${y2} H${x2}`;
}
