/**
 * The chat: what a person types goes to who is open, and what happens is shown meanwhile.
 * I1. Commands and messages are worked off one after the other, in the order in which they were typed.
 * I2. The first Ctrl-C ends a turn; a second one, with no line between them, ends the chat.
 * I3. At the end of a pipe the chat ends when everybody is at rest.
 */
import { deferred } from '@dsh-internal/async';
import type { App } from '../app/create-app.ts';
import { signalCodes, type SignalTarget } from '../app/stop-on-signals.ts';
import type { Paint } from '../output/colours.ts';
import { liveTree } from '../output/live-tree.ts';
import { terminalLine } from '../output/terminal-safe.ts';
import { watchRun, watchText } from '../run/watch-run.ts';
import type { Approvals } from './approvals.ts';
import { startConversation, type Conversation } from './conversation.ts';
import type { LineInput } from './line-input.ts';
import type { Screen } from './screen.ts';
import { slashCommand } from './slash-commands.ts';

export interface ChatOptions {
  readonly app: App;
  readonly model: string;
  readonly resume?: string | undefined;
  /** Called when its lines can be heard: none is lost. */
  readonly openInput: () => LineInput;
  readonly approvals: Approvals;
  readonly paint: Paint;
  readonly signals: SignalTarget;
}

/** Resolves to the exit code. The program is the caller's to stop. */
export async function chat(options: ChatOptions): Promise<number> {
  const { app, approvals, paint, signals } = options;
  const ended = deferred<number>();
  // An agent is watched from its beginning; nothing is shown before there is something to show it on.
  const view: { screen?: Screen } = {};
  show(app, (text) => view.screen?.write(text), paint);
  const conversation = await startConversation(app, options.model, options.resume);
  const input = options.openInput();
  const { line, screen } = input;
  view.screen = screen;
  const print = screen.note;
  const end = (code: number) => (): void => {
    ended.resolve(code);
  };
  const quit = end(0);
  const handle = async (text: string): Promise<void> => {
    if (text.startsWith('/')) await slashCommand(text, { app, conversation, paint, print, quit });
    else await conversation.send(input.textOf(text));
    line.setPrompt(`${paint('bold', terminalLine(conversation.addressee.label))}> `);
    screen.prompt();
  };
  let work: Promise<void> = Promise.resolve();
  const inTurn = (run: () => Promise<void>): void => {
    work = work.then(run).catch((error: unknown) => {
      print(paint('red', reasonOf(error)));
    });
  };
  const presses = twoPresses(conversation, print);
  const interrupt = (): void => {
    if (presses.press()) end(signalCodes.SIGINT)();
  };
  line.on('line', (text) => {
    presses.forget();
    screen.entered();
    if (approvals.waiting) approvals.answer(text);
    else if (text.trim() === '') screen.prompt();
    else {
      inTurn(() => input.remember(text));
      inTurn(() => handle(text));
    }
  });
  line.on('SIGINT', interrupt);
  line.on('close', () => {
    work.then(() => app.ctx.subagents.whenQuiescent(conversation.root.id)).then(quit, quit);
  });
  const terminate = end(signalCodes.SIGTERM);
  signals.on('SIGINT', interrupt);
  signals.on('SIGTERM', terminate);
  print(paint('dim', `Session ${conversation.root.id}. /help lists the commands.`));
  line.setPrompt(`${paint('bold', 'root')}> `);
  screen.prompt();
  try {
    return await ended.promise;
  } finally {
    signals.off('SIGINT', interrupt);
    signals.off('SIGTERM', terminate);
    input.close();
  }
}

/** The first press ends a turn. `press` is true for a second one, where nothing was typed between them. */
function twoPresses({ interruptOpen }: Conversation, note: (text: string) => void) {
  let armed = false;
  return {
    forget(): void {
      armed = false;
    },
    press(): boolean {
      if (armed) return true;
      armed = true;
      interruptOpen().then(
        (was) => {
          note(was ? '(interrupted; Ctrl-C again ends the chat)' : '(Ctrl-C again ends the chat)');
        },
        (error: unknown) => {
          note(reasonOf(error));
        },
      );
      return false;
    },
  };
}

function reasonOf(error: unknown): string {
  return terminalLine(error instanceof Error ? error.message : String(error));
}

/** What a person has typed stands there already. */
function show({ ctx }: App, write: (text: string) => void, paint: Paint): void {
  const tree = liveTree(write, paint);
  watchRun(ctx, (event) => {
    if (event.type !== 'agent/inbox/enqueue' || event.source.kind !== 'user') tree.tell(event);
  });
  watchText(ctx, tree.piece);
}
