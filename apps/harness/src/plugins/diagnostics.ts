/** How what nobody asked about reaches the command line: an event of the context, not a plugin of its own. */
import type { Context } from '@deepseek-ai/cordis';
import type { Diagnostic, OnDiagnostic } from '@deepseek-ai/dsh-session';

declare module '@deepseek-ai/cordis' {
  interface Events {
    /** Something that may be odd, or that was lost. */
    'harness/diagnostic'(diagnostic: Diagnostic): void;
  }
}

export function diagnosticsOf(ctx: Context): OnDiagnostic {
  return (diagnostic) => {
    ctx.emit('harness/diagnostic', diagnostic);
  };
}
