package main

import "github.com/google/cel-go/common/types"

const true_ = types.True
