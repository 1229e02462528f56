//go:build tools

// Package programs names the programs that the harness builds from this module.
package programs

import (
	_ "sigs.k8s.io/kwok/cmd/kwok"
)
