#!/usr/bin/env node
process.stdout.write('The demo is not there yet.\n');
