import { Argument, Command, Option } from 'commander';
import { contextOf, type Context, type GlobalOptions } from './context.ts';
import { wrongUsage } from './errors.ts';
import { getEvent, listEvents, listTypes, resendEvent } from './events/events.ts';
import { listen } from './listen/listen.ts';
import { logs } from './logs/logs.ts';
import { printable } from './output/terminal-text.ts';
import { api } from './requests/api.ts';
import { docs, DOCUMENTS } from './requests/docs.ts';
import { METHODS } from './requests/request-input.ts';
import { candidatesFor } from './shell/completion.ts';
import { COMPLETE, completionScript, type Shell, SHELLS } from './shell/completion-scripts.ts';
import { login, logout } from './sign-in/login.ts';
import { whoami } from './sign-in/whoami.ts';
import type { System } from './system.ts';
import { scenarios } from './trigger/scenarios/scenarios.ts';
import { trigger } from './trigger/trigger.ts';
import { VERSION } from './version.ts';

const ENVIRONMENT = `
Environment:
  PARLEY_API_KEY   an API key, instead of the sign-in of the profile
  PARLEY_BASE_URL  the address of the service, instead of that of the profile

Exit codes: 0 done, 1 refused by the service, 2 wrong usage, 3 not signed in, 4 not reachable`;

type Run<Args extends unknown[]> = (context: Context, ...args: Args) => Promise<void>;

/** All commands with their options. */
export function buildProgram(system: System): Command {
  const program = new Command('parley')
    .description('The command line of Parley.')
    .version(VERSION)
    .addOption(new Option('--profile <name>', 'sign-in to use, when there are several').default('default'))
    .option('--json', 'write JSON')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', ENVIRONMENT)
    .showHelpAfterError('"parley --help" and "parley <command> --help" show what there is.')
    .configureOutput({
      writeOut: (text) => system.write(text),
      writeErr: (text) => system.writeError(text),
      outputError: (text, write) => write(`parley: ${printable(text.trim().replace(/^error: /, ''))}\n`),
    })
    .exitOverride();

  /** Runs a command with its arguments, then its options. */
  const action =
    <Args extends unknown[]>(run: Run<Args>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command;
      await run(contextOf(system, command.optsWithGlobals<GlobalOptions>()), ...(given.slice(0, -1) as Args));
    };

  addSignIn(program, action);
  program
    .command('api')
    .description('send any request')
    .addArgument(new Argument('<method>', METHODS.join(', ')).choices(METHODS).argParser((method) => method))
    .argument('<path>', 'such as /contacts')
    .option('-f, --field <name=value>', 'field of the body; name[]=value for a list', collect)
    .option('-d, --data <body>', 'body: JSON, @file or @- for standard input')
    .option('-q, --query <name=value>', 'parameter of the query', collect)
    .option('-H, --header <header>', 'header of the request, "Name: value"', collect)
    .option('-i, --include', 'show status and headers of the response, too')
    .option('--paginate', 'read all pages of a list')
    .action(action(api));
  program
    .command('listen')
    .description('show events as they happen, and forward them to your program as a webhook does')
    .option('--forward-to <url>', 'where to POST each event, such as http://localhost:3000/hooks')
    .option('--events <types>', 'only these types, such as call.ended,contact.*')
    .option('--since <place>', 'begin earlier: 10m, a cursor, or "last" for where the last run has ended')
    .option('--secret <secret>', 'sign with this secret of a webhook (whsec_…) instead of the own one')
    .action(action(listen));
  addEvents(program, action);
  program
    .command('trigger')
    .description('make an event really happen, in a sandbox')
    .addArgument(new Argument('[event]', 'such as call.ended'))
    .option('--list', 'list what can be triggered')
    .option('--local <file>', 'local.json of the stack with the sandbox (default: .parley/local.json)')
    .option('--timeout <seconds>', 'how long to wait for each step and for the event (default: 30)')
    .option('--verbose', 'show each request')
    .action(action(trigger));
  program
    .command('logs')
    .description('show deliveries of webhooks with their attempts, or the audit log')
    .option('--follow', 'go on with what happens')
    .option('--webhook <id>', 'only of this webhook')
    .option('--failed', 'only deliveries that have failed')
    .option('--audit', 'the audit log instead')
    .option('--limit <number>', 'how many at most, 1 to 100 (default: 20)')
    .action(action(logs));
  program
    .command('docs')
    .description('write the OpenAPI or AsyncAPI document of the service')
    .addArgument(new Argument('<document>', 'openapi or asyncapi').choices(DOCUMENTS))
    .action(action(docs));
  addShell(program, system);
  program
    .command('conformance')
    .description('check whether a server behaves as Parley')
    .argument('[arguments...]', 'as "parley conformance --help" shows')
    .helpOption(false)
    .allowUnknownOption()
    .action(() => {
      throw wrongUsage('write "parley conformance" first, then its own options');
    });
  return program;
}

type Action = <Args extends unknown[]>(run: Run<Args>) => (...given: unknown[]) => Promise<void>;

function addSignIn(program: Command, action: Action): void {
  program
    .command('login')
    .description('sign in by a browser')
    .option('--url <address>', 'of the service, such as https://phone.example')
    .option('--device', 'show a code for a browser on another machine')
    .action(action(login));
  program.command('logout').description('sign out, and revoke the tokens').action(action(logout));
  program.command('whoami').description('show where you are signed in').action(action(whoami));
}

function addEvents(program: Command, action: Action): void {
  const events = program.command('events').description('read the log of events, and send events again');
  events
    .command('list', { isDefault: true })
    .description('list events, oldest first')
    .option('--after <cursor>', 'begin behind this place')
    .option('--from <time>', 'begin at this time (ISO 8601)')
    .option('--types <types>', 'only these types, such as call.ended,contact.*')
    .option('--limit <number>', 'how many at most, 1 to 100 (default: 50)')
    .action(action(listEvents));
  events.command('get').description('show an event').argument('<id>', 'evt_…').action(action(getEvent));
  events.command('types').description('list the types of events').action(action(listTypes));
  events
    .command('resend')
    .description('send an event again')
    .argument('<id>', 'evt_…')
    .option('--to <url>', 'to your program, from here')
    .option('--webhook <id>', 'to a webhook, from the service')
    .option('--secret <secret>', 'with --to: sign with this secret of a webhook (whsec_…)')
    .action(action(resendEvent));
}

function addShell(program: Command, system: System): void {
  program
    .command('completion')
    .description('write a script with which a shell completes commands')
    .addArgument(new Argument('<shell>', SHELLS.join(', ')).choices(SHELLS))
    .action((shell: Shell) => system.write(completionScript(shell)));
  program
    .command(COMPLETE, { hidden: true })
    .argument('[words...]')
    .action((words: readonly string[]) => {
      for (const { word, description } of candidatesFor(withChoices(program), words))
        system.write(`${word}\t${description}\n`);
    });
}

/** The events that can be triggered are words of the shell, but no usage: their names may be former ones. */
function withChoices(program: Command): Command {
  program.commands.find((one) => one.name() === 'trigger')?.registeredArguments[0]?.choices(Object.keys(scenarios));
  return program;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
