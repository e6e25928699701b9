/** A finished program: what it printed, and its exit code. */
export interface Finished {
  readonly code: number;
  readonly output: string;
}

/** Runs the program of containers (docker, podman or nerdctl) with these arguments. */
export type Containers = (...args: string[]) => Promise<Finished>;

interface ImageConfig {
  readonly User?: string;
  readonly Entrypoint?: readonly string[];
  readonly Labels?: Readonly<Record<string, string>>;
}

/** As the chart runs them: nothing to write to, no privileges; and no network. */
const RESTRICTED = [
  'run',
  '--rm',
  '--read-only',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--network=none',
];

/** What is wrong with the image of a service; empty is good. */
export async function imageProblems(
  { service, image, hasDatabase }: { service: string; image: string; hasDatabase: boolean },
  containers: Containers,
): Promise<string[]> {
  const inspected = await containers('image', 'inspect', '--format', '{{json .Config}}', image);
  if (inspected.code !== 0) return [`${image} is not on this machine`];
  const found = await Promise.all([
    startProblems(service, image, containers),
    ...(hasDatabase ? [indexProblems(image, containers)] : []),
    writeProblems(image, containers),
  ]);
  const configured = configProblems(service, JSON.parse(inspected.output) as ImageConfig);
  return [...configured, ...found.flat()].map((problem) => `${image}: ${problem}`);
}

function configProblems(service: string, { User = 'root', Entrypoint = [], Labels = {} }: ImageConfig): string[] {
  return [
    ...(/^[1-9]\d{4}:[1-9]\d{4}$/.test(User) ? [] : [`runs as ${User}, not as a number above the system range`]),
    ...(Entrypoint[0] === 'node' && Entrypoint.at(-1) === 'src/main.ts' ? [] : [`starts ${Entrypoint.join(' ')}`]),
    ...(Labels['org.opencontainers.image.title'] === `parley/${service}` ? [] : ['is the image of another service']),
    ...['revision', 'version']
      .filter((name) => (Labels[`org.opencontainers.image.${name}`] ?? 'unknown') === 'unknown')
      .map((name) => `does not name its ${name}`),
  ];
}

/** Without settings every service loads all of its code and then reports the missing ones. */
async function startProblems(service: string, image: string, containers: Containers): Promise<string[]> {
  const { code, output } = await containers(...RESTRICTED, image);
  const reports = output.includes(`${service} cannot start with these settings`);
  return code === 1 && reports ? [] : [`does not load (exit code ${code}): ${output.slice(0, 500)}`];
}

async function indexProblems(image: string, containers: Containers): Promise<string[]> {
  const { code, output } = await containers(...RESTRICTED, image, 'build-indexes');
  return code === 0 && output.includes('no MONGODB_URL') ? [] : [`build-indexes fails (exit code ${code})`];
}

/** The user of the image may not change what it runs, also where the file system could be written. */
async function writeProblems(image: string, containers: Containers): Promise<string[]> {
  const attempt = "require('fs').writeFileSync('/app/written', '')";
  const { code } = await containers('run', '--rm', '--network=none', '--entrypoint=node', image, '--eval', attempt);
  return code === 0 ? ['can write to /app'] : [];
}
