/** The commands of the chat: lines that begin with a slash. */
import type { App } from '../app/create-app.ts';
import type { Paint } from '../output/colours.ts';
import { terminalLine } from '../output/terminal-safe.ts';
import { treePicture } from '../output/tree-picture.ts';
import { UsageError } from '../run/usage-error.ts';
import { treeNodes } from '../sessions/tree-nodes.ts';
import type { Conversation } from './conversation.ts';

export interface SlashContext {
  readonly app: App;
  readonly conversation: Conversation;
  readonly paint: Paint;
  readonly print: (text: string) => void;
  readonly quit: () => void;
}

export const chatHelp = `/tree            who is there, and at work
/open ID         talk with a child here (by label, or by the beginning of its
                 id), with root, or with another stored root
/interrupt ID    end the present turn of root or of a child; what waits there
                 is kept
/drain           stop every child; their Sessions stay
/sessions        the stored roots
/help            this
/quit            end (also Ctrl-D)
Ctrl-C           ends the turn of who is open; twice: ends the chat`;

export async function slashCommand(line: string, context: SlashContext): Promise<void> {
  const [name = '', ...rest] = line.trim().split(/\s+/);
  const argument = rest.join(' ');
  const { app, conversation, print, paint } = context;
  switch (name) {
    case '/tree':
      print(treePicture(await treeNodes(app.ctx, conversation.root.id), paint).join('\n'));
      break;
    case '/open':
      await conversation.open(needed(argument, name));
      print(`You talk with ${terminalLine(conversation.addressee.label)} (${conversation.addressee.id}).`);
      break;
    case '/interrupt':
      await conversation.interrupt(needed(argument, name));
      break;
    case '/drain':
      await app.ctx.subagents.drainContinuableDescendants([conversation.root]);
      print('No child is at work.');
      break;
    case '/sessions':
      for await (const entry of app.ctx.sessions.list())
        if (entry.kind === 'problem' || entry.header.parentSession === undefined)
          print(terminalLine(entry.id));
      break;
    case '/help':
      print(chatHelp);
      break;
    case '/quit':
      context.quit();
      break;
    default:
      throw new UsageError(`there is no ${name}: /help lists the commands`);
  }
}

function needed(argument: string, name: string): string {
  if (argument === '') throw new UsageError(`${name} needs an id or a label: /tree shows them`);
  return argument;
}
